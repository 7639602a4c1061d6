import { createContext, type ReactNode, use, useState } from 'react'
import { createPortal } from 'react-dom'

interface Slot {
  place: HTMLElement | null
  setPlace: (place: HTMLElement | null) => void
}

const SlotContext = createContext<Slot>({ place: null, setPlace: () => {} })

/** Around a page: lets a list render its tools into the toolbar above, however far apart the two are. */
export function ToolsSlots({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return <SlotContext value={{ place, setPlace }}>{children}</SlotContext>
}

/** The slot in the toolbar for the list's tools. */
export function ToolsSlot({ className }: { className?: string | undefined }) {
  return <span ref={use(SlotContext).setPlace} className={className} />
}

/** Tools of a list: in the slot of the page's toolbar, or in place if there is none. */
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
