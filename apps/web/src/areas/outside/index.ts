export { FriendCodeDialog, tellFriend } from './FriendCodeDialog.tsx'
