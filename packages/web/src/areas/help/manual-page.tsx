import { Button, Text } from '@mantine/core'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useLoaderData, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import classes from './help.module.css'
import type { ManualPage } from './manual.ts'

const HELP = { title: 'Help', to: '/admin/help' }

export default function ManualPageScreen() {
  const page = useLoaderData({ strict: false }) as ManualPage | null
  if (!page)
    return (
      <>
        <PageHeader title="Help" crumbs={[HELP]} />
        <Panel>
          <Text role="alert">The manual has no such page.</Text>
          <TextLink to="/admin/help">All pages</TextLink>
        </Panel>
      </>
    )
  return (
    <>
      <PageHeader title={page.title} crumbs={[HELP, { title: page.title }]} />
      <div className={classes['sheet']}>
        <Content html={page.html} />
        <aside className={classes['aside']}>
          {page.sections.length > 2 && <Sections sections={page.sections} />}
          <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()}>
            Print
          </Button>
        </aside>
      </div>
    </>
  )
}

function Content({ html }: Pick<ManualPage, 'html'>) {
  const router = useRouter()
  // The page's HTML has plain links. Those inside the application go through the router, without loading the page
  // again.
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !(event.target instanceof Element)) return
    const link = event.target.closest('a[href^="/admin/"]')
    if (!link) return
    event.preventDefault()
    const [to = '', hash = ''] = (link.getAttribute('href') ?? '').split('#')
    void router.navigate({ to, hash })
  }
  return (
    <Panel className={classes['content'] ?? ''}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: clicks come from the links inside */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter clicks a link, too */}
      <div
        className={classes['text']}
        onClick={follow}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the project's own pages; the build has escaped HTML in them
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </Panel>
  )
}

function Sections({ sections }: Pick<ManualPage, 'sections'>) {
  return (
    <nav className={classes['sections']} aria-label="On this page">
      <p>On this page</p>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
