export { ConnectionLines } from './integrations/ConnectionLines.tsx'
export { MessageBody } from './MessageBody.tsx'
export { type Message, MessageStatus } from './messageActions.tsx'
