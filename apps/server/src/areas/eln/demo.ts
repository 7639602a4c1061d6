import type { Records } from '../../records/records.ts'

export async function demo(_: Records): Promise<void> {}
