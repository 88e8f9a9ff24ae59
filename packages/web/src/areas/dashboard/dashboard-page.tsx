import type { Dashboard } from '@backstock/contract/dashboard.ts'
import type { MayBePutAway } from '@backstock/contract/dashboard-parts.ts'
import { Button, Group, Text, Title } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { useAct } from '../../ui/feedback/use-act.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import classes from './dashboard.module.css'
import { dashboardQuery, putAway } from './dashboard.ts'
import { PaymentLine, ShopLine } from './figure-lines.tsx'
import stepClasses from './first-steps.module.css'
import { FirstSteps } from './first-steps.tsx'
import { NewestImports } from './import-panel.tsx'
import { SampleNote } from './sample-note.tsx'
import { StockByAge, StockByStatus } from './stock-panels.tsx'
import { TodoTiles } from './todo-tiles.tsx'
import { WaitingSales } from './waiting-sales.tsx'
import { SalesByWeek } from './week-panel.tsx'

/** The work for today, and the shop's figures. Every number links to the list behind it. */
export default function DashboardPage() {
  const { data, isError, error, refetch } = useQuery(dashboardQuery)
  const welcome = data && welcomeOf(data)
  return (
    <>
      <PageHeader title="Dashboard" note="What needs doing today" />
      {isError && !data ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : (
        // A new key draws the page anew when the notes above the figures appear. So notes and figures appear together,
        // and nothing moves.
        <div className={classes['page']} key={`${welcome?.isShown} ${data?.ending_rule?.last_day}`}>
          {data &&
            welcome?.isShown &&
            (welcome.what === 'sample' ? <SampleNote /> : <FirstSteps steps={data.first_steps} />)}
          {data && isEmpty(data) ? !welcome?.isShown && <NothingYet /> : <Figures data={data} />}
          {welcome && !welcome.isShown && <BringBack what={welcome.what} />}
        </div>
      )}
    </>
  )
}

/** The note for a new shop; undefined if all first steps are done. `isShown` is false if the person has put it away. */
function welcomeOf(data: Dashboard): { what: MayBePutAway; isShown: boolean } | undefined {
  const what = data.is_sample ? 'sample' : 'first steps'
  if (what === 'first steps' && data.first_steps.every(({ done }) => done)) return undefined
  return { what, isShown: !data.put_away.includes(what) }
}

const isEmpty = (data: Dashboard) =>
  data.imports.length === 0 && data.first_steps.some(({ step, done }) => step === 'stock' && !done)

function Figures({ data }: { data: Dashboard | undefined }) {
  return (
    <>
      <TodoTiles data={data} />
      <PaymentLine payments={data?.payments} />
      <ShopLine data={data} />
      <div className={classes['thirds']}>
        <WaitingSales
          title="Sales requiring attention"
          none="Nothing requires attention."
          statuses={['Requires Attention']}
          open={data?.open_sales}
          sales={data?.attention}
        />
        <WaitingSales
          title="Awaiting payment or dispatch"
          none="Nothing awaits payment or dispatch."
          statuses={['Awaiting Payment', 'Awaiting Dispatch']}
          open={data?.open_sales}
          sales={data?.awaiting}
        />
        <NewestImports imports={data?.imports} />
      </div>
      <div className={classes['halves']}>
        <StockByStatus stock={data?.stock} />
        <StockByAge ages={data?.ages} />
      </div>
      <SalesByWeek weeks={data?.weeks} />
    </>
  )
}

function BringBack({ what }: { what: MayBePutAway }) {
  const [running, run] = useAct()
  const back = () => run(() => putAway(what, false))
  return (
    <div className={stepClasses['back']}>
      <Button size="compact-sm" variant="subtle" color="gray" loading={running} onClick={() => void back()}>
        {what === 'sample' ? 'About this sample shop' : 'Show the first steps'}
      </Button>
    </div>
  )
}

function NothingYet() {
  return (
    <Panel>
      <div className={classes['empty']}>
        <Mark size={44} />
        <Title order={2}>Nothing here yet</Title>
        <Text c="dimmed" ta="center" maw={440}>
          Once there is stock, this page shows what needs doing today: sales that wait, how long items have been here,
          what was sold and earned week by week.
        </Text>
        <Group justify="center">
          <Button component={Link} to="/admin/stock/import" leftSection={<IconUpload size={16} />}>
            Import Stock
          </Button>
          <Button component={Link} to="/admin/stock/create" variant="default" leftSection={<IconPlus size={16} />}>
            Add an item
          </Button>
        </Group>
      </div>
    </Panel>
  )
}
