import { Button, Group, Text, Title } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../ui/error-state.tsx'
import { Mark } from '../../ui/mark.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import classes from './dashboard.module.css'
import { dashboardQuery } from './dashboard.ts'
import { NewestImports } from './import-panel.tsx'
import { PaymentLine } from './payment-line.tsx'
import { OpenSaleTiles, WaitingSales } from './sale-panels.tsx'
import { StockByAge, StockByStatus } from './stock-panels.tsx'
import { SalesByWeek } from './week-panel.tsx'

/** What needs doing today, and how the shop stands. Every number leads to the list behind it. */
export default function DashboardPage() {
  const { data, isError, error, refetch } = useQuery(dashboardQuery)
  const isEmpty = data && data.imports.length === 0 && data.stock.every(({ items }) => items === 0)
  return (
    <>
      <PageHeader title="Dashboard" note="What needs doing today" />
      {isError && !data ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : isEmpty ? (
        <NothingYet />
      ) : (
        <div className={classes['page']}>
          <OpenSaleTiles open={data?.open_sales} />
          <PaymentLine payments={data?.payments} />
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
          <SalesByWeek weeks={data?.weeks} />
          <div className={classes['halves']}>
            <StockByStatus stock={data?.stock} />
            <StockByAge ages={data?.ages} />
          </div>
        </div>
      )}
    </>
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
