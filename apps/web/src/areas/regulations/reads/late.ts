import { today } from '../day.ts'

/** True for a past day, `YYYY-MM-DD`. */
export const isLate = (due: string | null): boolean => due !== null && due < today()
