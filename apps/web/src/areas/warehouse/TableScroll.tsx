import type { ReactNode, Ref } from 'react'
import classes from './Warehouse.module.css'

interface Props {
  /** Accessible label. */
  label: string
  /** Maximum height in pixels before it scrolls vertically. */
  maxHeight?: number
  className?: string | undefined
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/** A wide table that can be scrolled by keyboard. */
export const TableScroll = ({ label, maxHeight, className = classes.scroll, ref, children }: Props) => (
  <section
    ref={ref}
    className={className}
    style={maxHeight ? { maxHeight, overflowY: 'auto' } : undefined}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys
    tabIndex={0}
    aria-label={label}
  >
    {children}
  </section>
)
