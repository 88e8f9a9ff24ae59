import { Button } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from './list-bar.module.css'

/** A chip for a chosen filter value, with a button that removes it. */
export function FilterChip({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <Button
      variant="default"
      radius="xl"
      size="xs"
      className={classes['chip'] ?? ''}
      title={text}
      aria-label={`Clear ${text}`}
      rightSection={<IconX size={13} />}
      onClick={onClear}
    >
      {text}
    </Button>
  )
}
