import { Switch } from '@mantine/core'

type Props = { label: string; on: boolean; onChange: (on: boolean) => void }

/** A filter that is on or off. Its code is loaded only by the few lists that have one. */
export default function FilterSwitch({ label, on, onChange }: Props) {
  return <Switch label={label} checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
}
