import { createContext, type ReactNode, use, useState } from 'react'
import { createPortal } from 'react-dom'

interface Slot {
  place: HTMLElement | null
  setPlace: (place: HTMLElement | null) => void
}

const SlotContext = createContext<Slot>({ place: null, setPlace: () => {} })

/** Around a page: the line over a list and the list itself may stand far apart, and still show their tools in one line. */
export function ToolsSlots({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return <SlotContext value={{ place, setPlace }}>{children}</SlotContext>
}

/** Where the line over a list has room for the list's own tools. */
export function ToolsSlot({ className }: { className?: string | undefined }) {
  return <span ref={use(SlotContext).setPlace} className={className} />
}

/** The tools of a list: in the slot of the page's line, or where they stand if there is none. */
export function ListTools({
  children,
  otherwise,
}: {
  children: ReactNode
  otherwise: (tools: ReactNode) => ReactNode
}) {
  const { place } = use(SlotContext)
  return place ? createPortal(children, place) : otherwise(children)
}
