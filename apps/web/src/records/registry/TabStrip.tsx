import { Tabs } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
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

/** Tabs of a record on one line; hidden ones are counted, and reached by a click. */
export function TabStrip({ active, children }: { active: string; children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null)
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
  const [hasBefore, hasAfter] = [cut.before > 0, cut.after > 0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another tab is opened, and once the buttons have taken their room
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const tab = element.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
    if (tab) {
      const { left, right } = element.getBoundingClientRect()
      const box = tab.getBoundingClientRect()
      if (box.left < left) element.scrollLeft -= left - box.left
      else if (box.right > right) element.scrollLeft += box.right - right
    }
    measure()
  }, [active, hasBefore, hasAfter])
  const turn = (way: 1 | -1) => {
    const element = scroller.current as HTMLDivElement
    element.scrollBy({ left: way * element.clientWidth * TURN })
  }
  return (
    <div className={classes.strip}>
      {hasBefore && <IconButton icon={IconChevronLeft} label="Вкладки левее" tabIndex={-1} onClick={() => turn(-1)} />}
      <div ref={scroller} className={classes.tabScroll} onScroll={measure}>
        <Tabs.List>{children}</Tabs.List>
      </div>
      {hasAfter && (
        <ActionButton
          label={`Ещё ${cut.after}`}
          aria-label={`Ещё ${cut.after}: вкладки правее`}
          variant="subtle"
          size="compact-sm"
          tabIndex={-1}
          rightSection={<IconChevronRight size={14} aria-hidden />}
          onClick={() => turn(1)}
        />
      )}
    </div>
  )
}
