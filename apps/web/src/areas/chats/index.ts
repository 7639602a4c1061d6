/** Public parts of the chats area. */

export { useCounts as useChatCounts } from './useCounts.ts'
