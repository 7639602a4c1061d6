import { storedFiles } from '../../storedFile.ts'

/** A portrait of an employee for visitors of the clinic's site; the staff know each other by the avatar. */
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
