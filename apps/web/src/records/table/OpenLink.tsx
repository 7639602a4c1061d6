import type { MouseEvent, ReactNode } from 'react'
import { InLinkContext } from '#kit/people.ts'
import { APP } from '#kit/root.ts'
import type { AnyRow } from '../fields/ui.ts'
import classes from './OpenLink.module.css'

interface Props {
  row: AnyRow
  onOpen?: (row: AnyRow) => void
  hrefOf?: (row: AnyRow) => string
  children: ReactNode
  tabIndex?: number
}

/** The first cell: a link if the record has a path (Ctrl and the middle button open a tab), else a button. */
export function OpenLink({ row, onOpen, hrefOf, children: words, tabIndex }: Props) {
  const children = <InLinkContext value={true}>{words}</InLinkContext>
  if (hrefOf) {
    const open = (event: MouseEvent) => {
      if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      onOpen(row)
    }
    return (
      <a href={APP + hrefOf(row)} className={classes.link} onClick={open} tabIndex={tabIndex}>
        {children}
      </a>
    )
  }
  if (!onOpen) return words
  return (
    <button type="button" className={classes.link} onClick={() => onOpen(row)} tabIndex={tabIndex}>
      {children}
    </button>
  )
}
