import { Highlight, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { PlainLink } from '../../ui/values/link.tsx'
import { findPages } from './find-pages.ts'
import classes from './help.module.css'
import { MANUAL } from './words.ts'

const PAGES = MANUAL.flatMap(({ pages }) => pages)
const address = (name: string) => `/admin/help/${name}`

/** The manual: its pages by job, or the pages that match the search. */
export default function HelpOverviewPage() {
  const { search = '' } = useSearch({ strict: false }) as { search?: string }
  const navigate = useNavigate()
  const find = (text: string) =>
    void navigate({ to: '/admin/help', search: text ? { search: text } : {}, replace: true } as never)
  return (
    <>
      <PageHeader title="Help" />
      <SearchBox className={classes['search'] ?? ''} label="Search the manual" value={search} onSearch={find} />
      {search.trim() ? <Found search={search} /> : <Jobs />}
    </>
  )
}

function Jobs() {
  return (
    <div className={classes['jobs']}>
      {MANUAL.map(({ title, pages }) => (
        <Panel key={title}>
          <h2 className={classes['job']}>{title}</h2>
          <ul className={classes['pages']}>
            {pages.map((page) => (
              <li key={page.name}>
                <PlainLink to={address(page.name)} className={classes['page']}>
                  <b>{page.title}</b>
                  <span className={classes['lead']} title={page.lead}>
                    {page.lead}
                  </span>
                </PlainLink>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  )
}

function Found({ search }: { search: string }) {
  const found = findPages(PAGES, search)
  const words = search.split(/\s+/).filter(Boolean)
  return (
    <Panel>
      <Text size="sm" c="dimmed" role="status" mb="xs">
        {found.length === 1 ? '1 page' : `${found.length} pages`}
      </Text>
      {found.length === 0 && <Text>No page of the manual has these words. Try fewer words.</Text>}
      <ul className={classes['pages']}>
        {found.map(({ name, title, excerpt }) => (
          <li key={name}>
            <PlainLink to={address(name)} className={classes['page']}>
              <b>{title}</b>
              <Highlight component="span" inherit highlight={words}>
                {excerpt}
              </Highlight>
            </PlainLink>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
