/** The forms, for a start: your front end takes the place of this page. */
export const PAGE = `<!doctype html><html lang="en"><title>Pictures</title>
<form method="post" action="/sign-up"><input name="name" aria-label="Name"><input name="email" aria-label="E-mail">
  <input name="password" type="password" aria-label="Password"><button>Sign up</button></form>
<form method="post" action="/sign-in"><input name="email" aria-label="E-mail">
  <input name="password" type="password" aria-label="Password"><button>Sign in</button></form>
<form method="post" action="/api/pictures" enctype="multipart/form-data"><input name="title" aria-label="Title">
  <input name="file" type="file" aria-label="Picture"><button>Add</button></form>
<form method="post" action="/sign-out"><button>Sign out</button></form></html>`;
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};
