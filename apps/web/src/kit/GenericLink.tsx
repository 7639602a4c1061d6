import { Anchor } from '@mantine/core'
import { linkKind } from '@ordinator/model/linkKind'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** An internal path ('/tasks?board=5'), or http, https, ftp, tel, mailto. Anything else is rendered as text. */
  href: string | null | undefined
  children?: ReactNode
  /** External links open in a new tab by default. */
  sameTab?: boolean
  /** The link is within a text: it is underlined, since colour alone does not distinguish it. */
  inText?: boolean
}

export function GenericLink({ href, children, sameTab, inText }: Props) {
  const kind = linkKind(href)
  const inner = children ?? href
  const underline = inText ? 'always' : undefined
  if (kind === 'internal')
    return (
      <Anchor underline={underline} renderRoot={(props) => <Link to={href as string} {...props} />}>
        {inner}
      </Anchor>
    )
  if (kind === 'none') return <>{inner}</>
  const newTab = kind === 'web' && !sameTab
  return (
    <Anchor
      underline={underline}
      href={href as string}
      target={newTab ? '_blank' : undefined}
      rel={newTab ? 'noopener noreferrer' : undefined}
    >
      {inner}
    </Anchor>
  )
}
