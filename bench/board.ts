/** Part 2: a board of 10 × 1,000 cards in a real browser, beside one of 10 × 10. */
import type { BenchBoard } from './bigTasks.ts'
import { type BoardPage, measurePages } from './boardPages.ts'
import type { BenchClinic } from './clinic.ts'
import type { Part } from './table.ts'

/** A member of both boards who sees everything. */
const LOGIN = 'bench-2'

export async function measureBoard(clinic: BenchClinic): Promise<Part> {
  const page = ({ id, idColumns }: BenchBoard): BoardPage => ({
    login: LOGIN,
    path: `/app/tasks?board=${id}`,
    idColumns,
  })
  const { bigBoard, smallBoard } = clinic.data
  return {
    title: 'Board in chromium: 10 × 1,000 cards (product) beside 10 × 10 (yardstick)',
    ...(await measurePages(clinic, page(bigBoard), page(smallBoard))),
  }
}
