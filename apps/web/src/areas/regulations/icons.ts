import { IconBook2, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  regulations: IconBook2,
} satisfies Readonly<Record<string, TablerIcon>>
