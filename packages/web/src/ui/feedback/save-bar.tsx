import { Button, Kbd, Text } from '@mantine/core'
import classes from './save-bar.module.css'

type Props = { isNew: boolean; dirty: boolean; saving: boolean; label: string; onDiscard: () => void }

/** The bar at the end of a form. It stays in sight, and says if anything is unsaved. */
export function SaveBar({ isNew, dirty, saving, label, onDiscard }: Props) {
  return (
    <div className={classes['bar']} data-dirty={dirty || undefined}>
      <Button type="submit" loading={saving} disabled={!isNew && !dirty}>
        {label}
      </Button>
      {!isNew && dirty && (
        <Button variant="default" disabled={saving} onClick={onDiscard}>
          Discard
        </Button>
      )}
      <Text size="sm" c="dimmed" aria-live="polite">
        {dirty ? 'Unsaved changes' : isNew ? '' : 'Everything is saved'}
      </Text>
      <Text size="xs" c="dimmed" visibleFrom="md">
        <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
      </Text>
    </div>
  )
}
