import type { Records } from '../../records/records.ts'
export async function demo(_records: Records): Promise<void> {}
