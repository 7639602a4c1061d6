/** Moves taken step by step, for tests of other areas whose files a move takes in. */
export { MOVER, openMove } from '#areas/moving/testing/moves.ts'
