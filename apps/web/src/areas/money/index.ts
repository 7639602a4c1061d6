export { AccountTab } from './account/AccountTab.tsx'
export { DebtMark } from './account/DebtMark.tsx'
