import type { BoardStore } from './boardStore.ts'

/** What others change on the board, taken in card by card. */
export function useBoardEvents(_store: BoardStore): void {}
