import { Transcript, TranscriptLine } from './transcript.ts'

/** Entities of this area. */
export const entities = [Transcript, TranscriptLine] as const
