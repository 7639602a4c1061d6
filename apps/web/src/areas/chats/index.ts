/** What chats publish to others. */

export { chatLinks } from './chatLinks.ts'
