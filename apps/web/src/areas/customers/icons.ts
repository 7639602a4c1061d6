import { IconEyeSearch, IconUserHeart, IconUsersGroup, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  customers: IconUserHeart,
  duplicates: IconUsersGroup,
  accessLog: IconEyeSearch,
} satisfies Readonly<Record<string, TablerIcon>>
