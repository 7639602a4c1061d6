/** What transcripts publish to others. */

export { Player } from './Player.tsx'
export { TalkPlayer } from './TalkPlayer.tsx'
