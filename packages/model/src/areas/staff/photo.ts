import { storedFiles } from '../../storedFile.ts'

/** A portrait of an employee for the clinic's site; the staff see the avatar. */
export const StaffPhoto = storedFiles('users/photos', {
  label: ['Фотография для сайта', 'фотографии для сайта', 'фотографий для сайта'],
  many: {},
  access: { view: 'signed-in', delete: 'editUsers' },
  upload: {
    category: 'staff',
    access: 'editUsers',
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg', 'webp'],
  },
})
