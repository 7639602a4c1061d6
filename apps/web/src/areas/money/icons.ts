import { IconCashRegister, IconQrcode, IconUsersGroup, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  cash: IconCashRegister,
  families: IconUsersGroup,
  paymentLinks: IconQrcode,
} satisfies Readonly<Record<string, TablerIcon>>
