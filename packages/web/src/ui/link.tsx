import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef } from 'react'

type PlainAnchorProps = Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps> & AnchorProps

function PlainAnchor({ ref, ...props }: PlainAnchorProps & { ref?: React.Ref<HTMLAnchorElement> }) {
  return <Anchor ref={ref} {...props} />
}

/** A link inside the application in the theme's look. `to` is a path such as /admin/stock/edit/5. */
export const TextLink = createLink(PlainAnchor)

/** Where a record is edited: /admin/{area}/edit/{id}. */
export const recordPath = (area: string, id: number) => `/admin/${area}/edit/${id}`
