import { IconCircle, type TablerIcon } from '@tabler/icons-react'
import { createContext, use } from 'react'

/** Icons by the keys of the page list. The app gives them, so that the menu does not import the list of areas. */
export const PageIcons = createContext<Readonly<Record<string, TablerIcon | undefined>>>({})

/** The icon of a page or a group of the menu. */
export function PageIcon({ name, size }: { name: string | undefined; size: number }) {
  const Icon = use(PageIcons)[name ?? ''] ?? IconCircle
  return <Icon size={size} stroke={1.75} aria-hidden />
}
