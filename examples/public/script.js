const books = document.querySelectorAll("ul:not(.files) li");
document.querySelector("output").value = String(books.length);
