test.only('the door is closed', () => {});
