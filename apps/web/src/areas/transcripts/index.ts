/** Public parts of the transcripts area. */

export { Player } from './Player.tsx'
export { TalkPlayer } from './TalkPlayer.tsx'
