export { attachFriendCode } from './FriendCodeDialog.tsx'
