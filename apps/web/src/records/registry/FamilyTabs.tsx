import { type Page, pageFamilies } from '@ordinator/model/page'
import { pageAllowed, pages } from '@ordinator/model/pages'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useActor } from '#base/session.ts'
import siblings from '#kit/siblings.module.css'

/** Tabs of sibling pages, for users who may open more than this one. */
export function FamilyTabs({ page }: { page: Page }) {
  const actor = useActor()
  // If the tabs do not fit in one line, scroll to the open one.
  const bring = useCallback((element: HTMLElement | null) => {
    const open = element?.querySelector<HTMLElement>('[aria-current="page"]')
    if (element && open) element.scrollLeft = open.offsetLeft - (element.clientWidth - open.offsetWidth) / 2
  }, [])
  if (!page.family) return null
  const all = (pages as readonly Page[]).filter((one) => one.family === page.family && pageAllowed(one, actor))
  if (all.length < 2) return null
  return (
    <nav ref={bring} className={siblings.siblings} aria-label={pageFamilies[page.family]}>
      {all.map((one) => (
        <Link
          key={one.key}
          to={`/${one.path}`}
          activeOptions={{ exact: true }}
          className={siblings.sibling}
          aria-current={one.key === page.key ? 'page' : undefined}
        >
          {one.title}
        </Link>
      ))}
    </nav>
  )
}
