import { part } from '#kit/chunk.ts'

export { DebtMark } from './account/DebtMark.tsx'
export { DeskSelect, useDesks } from './desk/DeskSelect.tsx'
export { Shown as ShownLink } from './desk/LinkDialog.tsx'
export { TakeDialog } from './desk/TakeDialog.tsx'
export { MembershipActions, MembershipHistory, MembershipUsers } from './memberships/MembershipPanel.tsx'
export { SellMembershipDialog } from './memberships/SellMembershipDialog.tsx'
export { useOperationKey } from './reads.ts'

/** Dashboard block. */
export const CashBlock = part(() => import('./desk/CashBlock.tsx'))
