/** Public parts of the files area: attachments of a record, and the picture viewer. */

export { Attachments } from './Attachments.tsx'
export { previewUrl } from './attachment.ts'
export { Lightbox, type Picture } from './Lightbox.tsx'
export { PictureGallery } from './PictureGallery.tsx'
export { PictureInput } from './PictureInput.tsx'
export { AddPictures, FAILED, PictureTile, SendingPicture } from './PictureTile.tsx'
export { UploadTile } from './UploadTile.tsx'
