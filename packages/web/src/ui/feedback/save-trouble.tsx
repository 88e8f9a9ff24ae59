import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import { Alert, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  title: string
  message: string
  /** The messages of the server about fields that are not on screen. */
  fields: readonly [name: string, message: string][]
  /** Links or buttons that help the person out of the trouble. */
  children?: ReactNode
}

/** The alert above a form that could not be saved. */
export function SaveTrouble({ title, message, fields, children }: Props) {
  return (
    <Alert color="red" role="alert" title={title}>
      <Text size="sm">{message}</Text>
      {fields.length > 0 && (
        <List size="sm" mt={4}>
          {fields.map(([name, text]) => (
            <List.Item key={name}>
              {attributeTitle(name.replaceAll('.', ' '))}: {text}
            </List.Item>
          ))}
        </List>
      )}
      {children}
    </Alert>
  )
}
