import type { Dashboard } from '@backstock/contract/dashboard.ts'
import type { FirstStep } from '@backstock/contract/dashboard-parts.ts'
import { Button, Text, VisuallyHidden } from '@mantine/core'
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { Link } from '@tanstack/react-router'
import { isAdmin, useMe } from '../../api/session.ts'
import { backTo } from '../../crud/back-to.ts'
import classes from './first-steps.module.css'
import { PutAwayButton } from './put-away-button.tsx'
import { Section } from './section.tsx'

type Step = {
  title: string
  hint: string
  to: string
  /** The text of the button that the next step has. */
  go: string
  adminOnly?: boolean
}

const STEPS: Record<FirstStep, Step> = {
  company: {
    title: 'Enter your company’s details',
    hint: 'Name and address for invoices, your VAT number if you have one, and the sender of your emails.',
    to: '/admin/company',
    go: 'Fill in the company',
    adminOnly: true,
  },
  vat: {
    title: 'Add your VAT rates',
    hint: 'The VAT that is added to your prices. Backstock proposes the rates of your country.',
    to: '/admin/vat',
    go: 'Add VAT rates',
    adminOnly: true,
  },
  supplier: {
    title: 'Add a supplier',
    hint: 'Who you buy from. A name is enough.',
    to: '/admin/supplier/create',
    go: 'Add a supplier',
  },
  stock: {
    title: 'Bring in your first devices',
    hint: 'Drop a supplier’s file; its columns are recognised.',
    to: '/admin/stock/import',
    go: 'Import a file',
  },
  sale: {
    title: 'Make the first sale',
    hint: 'Tick devices in the stock list, then press Sale in the basket.',
    to: '/admin/stock',
    go: 'Choose devices',
  },
  mail: {
    title: 'Email the first invoice',
    hint: 'A sale emails its invoice automatically. The company page says whether a mail server is set up.',
    to: '/admin/sale?status=',
    go: 'Look at the sales',
  },
}

/** Each step leads back to the dashboard, which then shows the next step. */
const BACK = backTo('/admin/dashboard')

/** The first steps of a new shop, in order. Each is ticked off when it is done. */
export function FirstSteps({ steps }: { steps: Dashboard['first_steps'] }) {
  const me = useMe()
  const next = steps.find(({ done }) => !done)?.step
  const done = steps.filter((one) => one.done).length
  return (
    <Section title="First steps" aside={<PutAwayButton what="first steps" name="the first steps" />}>
      <Text size="sm" c="dimmed">
        {done} of {steps.length} done. From an empty shop to the first emailed invoice.
      </Text>
      <ol className={classes['steps']}>
        {steps.map(({ step, done }) => {
          const { title, hint, to, go, adminOnly } = STEPS[step]
          const mayDo = !adminOnly || isAdmin(me)
          const Icon = done ? IconCircleCheck : IconCircle
          return (
            <li key={step} className={classes['step']} data-done={done || undefined}>
              <Icon size={20} stroke={1.6} aria-hidden />
              <div className={classes['words']}>
                {mayDo ? (
                  <Link to={to} state={BACK} className={classes['title']}>
                    {title}
                    <VisuallyHidden>{done ? ' (done)' : ' (to do)'}</VisuallyHidden>
                  </Link>
                ) : (
                  <span className={classes['title']}>{title}</span>
                )}
                <span className={classes['hint']}>{mayDo || done ? hint : 'An administrator does this.'}</span>
              </div>
              {step === next && mayDo && (
                <Button component={Link} to={to} state={BACK} className={classes['go'] ?? ''}>
                  {go}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
