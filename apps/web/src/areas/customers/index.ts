export { CustomerChip } from './CustomerChip.tsx'
export { type CustomerRow, findByPhones, searchCustomers } from './searchCustomers.ts'
