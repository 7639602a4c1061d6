/** What the notifications area publishes to others. */

export { askPopupPermission, popupPermission } from './alerts.ts'
export { readAllNotices } from './readAllNotices.ts'
