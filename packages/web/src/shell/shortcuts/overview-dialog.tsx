import { Kbd, Modal, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useMe } from '../../api/session.ts'
import { TextLink } from '../../ui/values/link.tsx'
import { closeOverview } from './overview.ts'
import classes from './overview-dialog.module.css'
import { areOff, switchShortcuts } from './switched-off.ts'
import { SHORTCUTS } from './table.ts'

const MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const shown = (key: string) => (MAC && key === 'Ctrl' ? '⌘' : key)

/** The dialog with all shortcuts. Its switch turns the shortcuts of single keys off. */
export default function OverviewDialog({ opened }: { opened: boolean }) {
  const { id } = useMe()
  const [on, setOn] = useState(!areOff(id))
  const turn = (next: boolean) => {
    switchShortcuts(id, next)
    setOn(next)
  }
  return (
    <Modal opened={opened} onClose={closeOverview} title="Keyboard shortcuts" size={640} zIndex={1055}>
      <div className={classes['groups']}>
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title} className={classes['group']}>
            <h3 className={classes['title']}>{title}</h3>
            <dl className={classes['list']}>
              {shortcuts.map(({ keys, does, to, run }) => (
                <div key={keys} data-off={(!on && Boolean(to ?? run)) || undefined}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <Kbd key={key}>{shown(key)}</Kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        mt="md"
        label="Single-key shortcuts"
        description="For you, in this browser. Shortcuts with Ctrl stay on."
        checked={on}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
      <Text size="sm" mt="md">
        <TextLink to="/admin/help/shortcuts" onClick={closeOverview}>
          More about them
        </TextLink>
      </Text>
    </Modal>
  )
}
