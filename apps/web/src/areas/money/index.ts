export { AccountTab } from './account/AccountTab.tsx'
export { DebtMark } from './account/DebtMark.tsx'
export { TakeDialog } from './desk/TakeDialog.tsx'
export { useBalance } from './reads.ts'
