import type { CustomerCard } from '#areas/customers/index.ts'
import { CustomerPromises } from './CustomerPromises.tsx'

/** Parts of the area in the card of a patient. */
export const customerCard: CustomerCard = { name: 'appeals', Fact: CustomerPromises }
