export { tellFriend } from './FriendCodeDialog.tsx'
