import { today } from '../day.ts'

/** A day that has passed, `YYYY-MM-DD`. */
export const isLate = (due: string | null): boolean => due !== null && due < today()
