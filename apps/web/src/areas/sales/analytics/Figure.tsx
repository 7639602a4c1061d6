import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from '#base/PageLink.tsx'

/** Filter of the deals behind a figure: `{ 'filter[idStage]': '5' }`. */
export type DealFilter = Record<string, string>

interface Props {
  filter: DealFilter
  /** Title of the panel of deals. */
  title: string
  count: number
  children?: ReactNode
}

/** A figure that opens its deals; zero is not a link. */
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
