import { Tabs } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Children, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import classes from './Registry.module.css'

/** Part of the width that a click scrolls. */
const TURN = 0.7

interface Cut {
  /** Number of hidden tabs at each side. */
  before: number
  after: number
}

/**
 * Tabs of a record on one line; hidden ones are counted, and reached by the wheel or a click. The opened tab is brought into
 * view when it is opened, and while the record is still loading, until the user scrolls: never against the user's scroll.
 * The buttons keep their room as long as anything is hidden, so that scrolling moves no tab sideways.
 */
export function TabStrip({ active, children }: { active: string; children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null)
  /** The tab that was open when the user scrolled: it is not brought back. */
  const left = useRef<string>(undefined)
  const [cut, setCut] = useState<Cut>({ before: 0, after: 0 })
  const measure = () => {
    const element = scroller.current
    if (!element) return
    const { left, right } = element.getBoundingClientRect()
    const tabs = [...element.querySelectorAll('[role="tab"]')].map((tab) => tab.getBoundingClientRect())
    const next = {
      before: tabs.filter((tab) => tab.left < left - 1).length,
      after: tabs.filter((tab) => tab.right > right + 1).length,
    }
    setCut((now) => (now.before === next.before && now.after === next.after ? now : next))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it measures what is drawn
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const overflows = cut.before + cut.after > 0
  const count = Children.count(children)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another tab, for tabs that came, and once the buttons have taken their room
  useLayoutEffect(() => {
    if (left.current !== active) {
      left.current = undefined
      bring(scroller.current as HTMLDivElement)
    }
    measure()
  }, [active, overflows, count])
  const leave = () => {
    left.current = active
  }
  const turn = (way: 1 | -1) => {
    const element = scroller.current as HTMLDivElement
    leave()
    element.scrollBy({ left: way * element.clientWidth * TURN })
  }
  return (
    <div className={classes.strip}>
      <div ref={scroller} className={classes.tabScroll} onScroll={measure} onWheel={leave} onTouchMove={leave}>
        <Tabs.List>{children}</Tabs.List>
      </div>
      {overflows && (
        <>
          <IconButton
            icon={IconChevronLeft}
            label="Вкладки левее"
            tabIndex={-1}
            data-idle={cut.before === 0 || undefined}
            className={classes.turn}
            onClick={() => turn(-1)}
          />
          <ActionButton
            label={`Ещё ${cut.after}`}
            aria-label={`Ещё ${cut.after}: вкладки правее`}
            variant="subtle"
            size="compact-sm"
            tabIndex={-1}
            data-idle={cut.after === 0 || undefined}
            className={classes.turn}
            rightSection={<IconChevronRight size={14} aria-hidden />}
            onClick={() => turn(1)}
          />
        </>
      )}
    </div>
  )
}

/** Scrolls as little as needed to show the open tab. */
function bring(element: HTMLElement) {
  const tab = element.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  if (!tab) return
  const { left, right } = element.getBoundingClientRect()
  const box = tab.getBoundingClientRect()
  if (box.left < left) element.scrollLeft -= left - box.left
  else if (box.right > right) element.scrollLeft += box.right - right
}
