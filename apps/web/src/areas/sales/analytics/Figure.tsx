import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from '#base/PageLink.tsx'

/** The filter of the list of deals that a figure was counted by: `{ 'filter[idStage]': '5' }`. */
export type DealFilter = Record<string, string>

interface Props {
  filter: DealFilter
  /** What the panel of deals is called. */
  title: string
  count: number
  children?: ReactNode
}

/** A figure that opens the deals behind it; nothing is behind a zero. */
export function Figure({ filter, title, count, children }: Props) {
  const text = children ?? count
  if (count === 0) return <span className="tabular">{text}</span>
  return (
    <Anchor
      inherit
      className="tabular"
      aria-label={`${title}: ${count}, показать сделки`}
      renderRoot={(props) => (
        <PageLink {...props} search={(now) => ({ ...now, deals: filter, of: title })} resetScroll={false} />
      )}
    >
      {text}
    </Anchor>
  )
}
