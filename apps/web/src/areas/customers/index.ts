export { CustomerChip, CustomerLink } from './CustomerChip.tsx'
export { CustomerFace } from './CustomerFace.tsx'
export { CustomerThreads } from './CustomerThreads.tsx'
export { type CustomerRow, findByPhones, searchCustomers } from './searchCustomers.ts'
